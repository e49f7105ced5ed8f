#pragma once

// All serializers of types that Java knows too; type_serializer.h says what a serializer is.
#include "common/serialization/basic_serializers.h"
#include "common/serialization/container_serializers.h"
#include "common/serialization/pojo_serializer.h"
#include "common/serialization/type_serializer.h"
