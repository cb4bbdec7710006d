extension Builtin {
  /// Built-ins for times; all times are in UTC.
  static let times: [Builtin] = [
    Builtin(
      "fromdate", "strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime",
      "Seconds since 1970 of a time like `2015-03-05T23:51:47Z`.",
      ("fromdate", "\"2015-03-05T23:51:47Z\"", ["1425599507"])),
    Builtin(
      "todate", "strftime(\"%Y-%m-%dT%H:%M:%SZ\")", "The reverse of `fromdate`.",
      ("todate", "1425599507", ["\"2015-03-05T23:51:47Z\""])),
    Builtin("fromdateiso8601", "fromdate", "As `fromdate`.", ("fromdateiso8601", "\"1970-01-01T00:00:01Z\"", ["1"])),
    Builtin("todateiso8601", "todate", "As `todate`.", ("todateiso8601", "1", ["\"1970-01-01T00:00:01Z\""])),
    Builtin(
      "gmtime", nil,
      "Seconds since 1970 broken down: year, month from 0, day, hours, minutes, seconds, day of the week, day of the year.",
      ("gmtime", "0", ["[1970, 0, 1, 0, 0, 0, 4, 0]"])),
    Builtin("mktime", nil, "The reverse of `gmtime`.", ("mktime", "[1970, 0, 1, 0, 0, 1, 4, 0]", ["1"])),
    Builtin(
      "strftime(format)", nil, "A broken-down time as text.",
      ("strftime(\"%A, %d %B %Y\")", "0", ["\"Thursday, 01 January 1970\""])),
    Builtin(
      "strptime(format)", nil, "A text as a broken-down time.",
      ("strptime(\"%d.%m.%Y\")", "\"05.03.2015\"", ["[2015, 2, 5, 0, 0, 0, 4, 63]"])),
  ]
}
