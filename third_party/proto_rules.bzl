"""Protobuf and gRPC code by the protoc that Debian installs."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def wiesel_proto_library(name, srcs, deps = [], grpc = False, visibility = None):
    """A C++ library of .proto files, included as "folder/file.pb.h" (and "folder/file.grpc.pb.h").

    Imports are relative to the workspace root: import "runtime/proto/job_graph.proto".

    Args:
      name: of the cc_library.
      srcs: .proto files of this package.
      deps: other wiesel_proto_library targets that srcs import.
      grpc: whether srcs declare services.
      visibility: of the cc_library.
    """
    sources = name + "_proto_files"
    native.filegroup(
        name = sources,
        srcs = srcs + [_protoFilesOf(dep) for dep in deps],
        visibility = visibility,
    )

    stems = [src[:-len(".proto")] for src in srcs]
    headers = [stem + ".pb.h" for stem in stems]
    implementations = [stem + ".pb.cc" for stem in stems]
    command = "protoc -I. -I/usr/include --cpp_out=$(GENDIR)"
    if grpc:
        headers += [stem + ".grpc.pb.h" for stem in stems]
        implementations += [stem + ".grpc.pb.cc" for stem in stems]
        command += " --plugin=protoc-gen-grpc=/usr/bin/grpc_cpp_plugin --grpc_out=$(GENDIR)"
    native.genrule(
        name = name + "_generated",
        srcs = srcs + [":" + sources],
        outs = headers + implementations,
        cmd = command + "".join([" $(location %s)" % src for src in srcs]),
    )

    cc_library(
        name = name,
        srcs = implementations,
        hdrs = headers,
        copts = ["-w"],
        visibility = visibility,
        deps = deps + ["@system//:grpc" if grpc else "@system//:protobuf"],
    )

def _protoFilesOf(label):
    if label.startswith("//") and ":" not in label:
        label += ":" + label.split("/")[-1]
    return label + "_proto_files"
