"""Libraries that Debian installs, linked statically where an archive exists."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def system_library(name, archives, shared = [], circular = False, deps = [], defines = [], testonly = False):
    """A library whose headers are in /usr/include.

    Under ThreadSanitizer everything is linked as a shared object, because that is how it recognises code
    that is not instrumented.

    Args:
      name: of the cc_library.
      archives: names as in libNAME.a, each before those it needs.
      shared: names of libraries that are always linked as shared objects.
      circular: whether the archives need each other in no order.
      deps: other libraries of this package that the archives need.
      defines: macros for those who include the headers.
      testonly: only tests and benchmarks use it.
    """
    always_shared = ["-l" + library for library in shared]
    static = ["-l:lib%s.a" % archive for archive in archives]
    if circular:
        static = ["-Wl,--start-group"] + static + ["-Wl,--end-group"]
    cc_library(
        name = name,
        testonly = testonly,
        defines = defines,
        linkopts = select({
            ":thread_sanitizer": ["-l" + archive for archive in archives] + always_shared,
            "//conditions:default": static + always_shared,
        }),
        deps = deps,
    )
