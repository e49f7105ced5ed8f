# Turns the output of one GoogleTest binary into a line a test: PASS, FAIL or SKIP, its name, and why. The
# output of a failed test follows it, indented; so does what was printed outside of all tests when only that
# can explain the exit status (a sanitizer's report).
#
# usage: awk -v target=TARGET -v status=EXIT_STATUS -f judge_test_log.awk LIST LOG
#   LIST  the tests that were to run, as TARGET/SUITE.NAME, one a line
#   LOG   what the binary printed

function ended(result) {
  outcome[current] = result
  if (result == "FAIL") output[current] = text
  if (result == "SKIP") why[current] = reason
  current = ""
  text = ""
}

FILENAME == ARGV[1] {
  names[++count] = $0
  next
}

/^\[ RUN      \] / {
  current = target "/" $NF
  started[current] = 1
  text = ""
  reason = ""
  next
}

# A test may have printed half a line before its result, so these need not begin one.
current != "" && /\[       OK \] .*\([0-9]+ ms\)$/ { ended("PASS"); next }
current != "" && /\[  SKIPPED \] .*\([0-9]+ ms\)$/ { ended("SKIP"); next }
current != "" && /\[  FAILED  \] .*\([0-9]+ ms\)$/ { ended("FAIL"); next }

{ text = text "    " $0 "\n" }
$0 != "" && !/: Skipped$/ { reason = reason (reason == "" ? "" : " ") $0 }

END {
  if (current != "") {
    why[current] = "the process ended in this test with status " status
    output[current] = text
    text = ""
  }
  for (i = 1; i <= count; ++i) {
    name = names[i]
    if (name ~ /[.\/]DISABLED_/) {
      outcome[name] = "SKIP"
      why[name] = "disabled by its name"
    } else if (!(name in outcome)) {
      outcome[name] = "FAIL"
      if (!(name in started)) why[name] = "not run, the process had ended with status " status
    }
    if (outcome[name] == "FAIL") failed = 1
    print outcome[name] " " name (why[name] == "" ? "" : ": " why[name])
    printf "%s", output[name]
  }
  if (status != 0 && !failed) {
    print "FAIL " target "/Process.EndsWell: all tests passed, then the process ended with status " status
    printf "%s", text
  }
}
