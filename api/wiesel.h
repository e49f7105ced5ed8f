#pragma once

// The public API of Wiesel; all of it is in namespace wiesel.

#include "api/async_data_stream.h"
#include "api/connected_streams.h"
#include "api/exceptions.h"
#include "api/joined_streams.h"
#include "api/keyed_stream.h"
#include "api/parameter_tool.h"
#include "api/stream_execution_environment.h"
#include "api/windowed_stream.h"
#include "common/serialization/describe.h"
#include "connectors/datagen/data_generator_source.h"
#include "connectors/file/file_sink.h"
#include "runtime/functions/aggregate_function.h"
#include "runtime/functions/checkpointed_function.h"
#include "runtime/functions/co_functions.h"
#include "runtime/functions/process_function.h"
#include "runtime/functions/rich_function.h"
#include "runtime/functions/suppress_restarts_exception.h"
#include "runtime/functions/two_phase_commit_sink_function.h"
#include "runtime/time/watermark_strategy.h"
