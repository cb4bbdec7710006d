import FlowModel
import SourceDiagnostics
import Testing

@testable import FlowSpec

/// The key `schedule`: what its texts mean, and which are refused.
@Suite struct ScheduleTests {
  static let texts: [(text: String, read: String)] = [
    ("30 2 * * *", "30 2 * * *"), ("  30\t2 * * *  ", "30 2 * * *"), ("*/15 6-20 1,15 * *", "*/15 6-20 1,15 * *"),
    ("0 6 * * MON-FRI", "0 6 * * 1-5"), ("0 6 * jan,Dec *", "0 6 * 1,12 *"), ("0 0 29 2 *", "0 0 29 2 *"),
    // Not every engine knows 7 as Sunday.
    ("0 0 * * 7", "0 0 * * 0"), ("0 0 * * 5-7", "0 0 * * 0,5,6"), ("0 0 * * 0-7", "0 0 * * *"),
    ("0-30/10 0-23/1 * * *", "0-30/10 0-23 * * *"), ("*/1 * * * *", "* * * * *"), ("5-5 * * * *", "5 * * * *"),
    ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@weekly", "0 0 * * 0"), ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
  ]

  @Test(arguments: texts) func `a text is read as numbers`(_ sample: (text: String, read: String)) throws {
    #expect(try CronText.times(in: sample.text).text == sample.read)
  }

  static let mistakes: [(text: String, message: String, offsets: Range<Int>)] = [
    ("60 2 * * *", "60 is out of range for the minute", 0..<2),
    ("0 24 * * *", "24 is out of range for the hour", 2..<4),
    ("0 0 0 * *", "0 is out of range for the day of the month", 4..<5),
    ("0 0 * 13 *", "13 is out of range for the month", 6..<8),
    ("0 0 * * 8", "8 is out of range for the day of the week", 8..<9),
    ("0 0 31 2 *", "the day '31' never comes in month '2'", 4..<8),
    ("0 0 31 4,6,SEP,11 *", "the day '31' never comes in month '4,6,9,11'", 4..<17),
    ("0 0 * * FRI-MON", "the range 'FRI-MON' goes over the end of its field", 8..<15),
    ("0 0 * * ?", "'?' is not a day of the week", 8..<9), ("0 0 L * *", "'L' is not a day of the month", 4..<5),
    ("0 0 * *", "cron has 5 fields, and this text has 4", 0..<7), ("", "cron has 5 fields, and this text has 0", 0..<0),
    ("0 0 0 * * *", "cron has 5 fields, and this text has 6", 0..<11),
    ("5/10 * * * *", "'5/10' has a step, but no range", 0..<4),
    ("*/0 * * * *", "'0' is not a step in the field of the minute", 2..<3),
    ("*/60 * * * *", "'60' is not a step in the field of the minute", 2..<4),
    ("*/5/5 * * * *", "'*/5/5' has two steps", 0..<5), ("1-2-3 * * * *", "'1-2-3' is not a range", 0..<5),
    ("1,,2 * * * *", "'' is not a minute", 0..<4), ("-1 * * * *", "'' is not a minute", 0..<2),
    ("+1 * * * *", "'+1' is not a minute", 0..<2),
    ("99999999999999999999 * * * *", "'99999999999999999999' is not a minute", 0..<20),
    ("@often", "'@often' is not a word of cron", 0..<6),
    ("0 0 1 * */2", "engines read '*/2' together with another field of days in different ways", 8..<11),
  ]

  @Test(arguments: mistakes)
  func `a mistake is shown where it is`(_ sample: (text: String, message: String, offsets: Range<Int>)) {
    let error = #expect(throws: CronError.self) { try CronText.times(in: sample.text) }
    #expect(error?.message == sample.message)
    #expect(error?.offsets == sample.offsets)
    #expect(error?.help.isEmpty == false)
  }

  @Test(
    arguments: [
      ("* * * * *", 1), ("*/15 * * * *", 15), ("0,50 * * * *", 10), ("30 2 * * *", 1440), ("0 0,23 * * *", 60),
      ("0 0 * * MON-FRI", 1440), ("0 0 * * SUN", 7 * 1440), ("0 0 1 * *", 28 * 1440), ("0 0 29 2 *", 1461 * 1440),
      // Either day is enough: the 1st may be the day after a Monday.
      ("0 0 1 * MON", 1440), ("0 0,12 1 1 *", 720),
    ])
  func `the shortest time between two starts is known`(_ text: String, _ minutes: Int) throws {
    #expect(try CronText.times(in: text).shortestGap == minutes)
  }

  @Test(
    arguments: [
      (60, "* * * * *"), (900, "*/15 * * * *"), (3600, "0 * * * *"), (21_600, "0 */6 * * *"), (86_400, "0 0 * * *"),
      (604_800, "0 0 * * 0"), (5400, nil), (2520, nil), (90, nil), (172_800, nil), (50_400, nil),
    ] as [(Int, String?)])
  func `a period is written as cron where cron has it`(_ seconds: Int, _ cron: String?) {
    #expect(Schedule(.every(seconds)).times?.text == cron)
  }

  private func flows(_ schedule: String, defaults: String = "") -> LoadedFlows {
    Project(
      "reactor: 1\nhttp: { base_url: https://a.example }\n\(defaults)flows:\n  a: { resource: /a }\n"
        + "  b: { resource: /b, schedule: \(schedule) }\n"
    ).load()
  }

  @Test func `a flow has the schedule of defaults unless it has its own`() {
    let loaded = flows(
      "{ every: 6h, jitter: 90s }", defaults: "defaults: { schedule: { cron: '30 2 * * *', zone: Europe/Berlin } }\n")
    #expect(loaded.diagnostics.diagnostics.isEmpty, "\(loaded.diagnostics.diagnostics)")
    #expect(
      loaded.flows.map { $0.schedule?.value.text } == ["cron 30 2 * * * (Europe/Berlin)", "every 6h, jitter 90s"])
    let own = flows("\"@daily\"").flows.map { $0.schedule?.value.text }
    #expect(own == [nil, "cron 0 0 * * * (UTC)"])
  }

  @Test(
    arguments: [
      ("{ cron: '*/5 * * * *', jitter: 5m }", "with this jitter a job could start after the next one"),
      ("{ every: 90500ms }", "engines do not know fractions of a second"),
      ("{ every: 6h, cron: '0 0 * * *' }", "'cron' and 'every' cannot be used together"),
      ("{ cron: '0 0 * * *', time_zone: Europe/Berlin }", "unknown key 'time_zone' in 'schedule'"),
      ("[daily]", "'schedule' must be a mapping, not a list"),
    ])
  func `parts that do not fit are errors`(_ schedule: String, _ message: String) {
    #expect(flows(schedule).diagnostics.diagnostics.map(\.message) == [message])
  }

  @Test func `the word of another program names the key`() {
    let found = flows("{ cron: '0 0 * * *', time_zone: Europe/Berlin }").diagnostics.diagnostics
    #expect(found.first?.help == "did you mean 'zone'?")
  }
}
