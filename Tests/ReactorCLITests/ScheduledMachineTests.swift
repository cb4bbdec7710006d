import FlowModel
import Foundation
import Testing

@testable import FlowSpec
@testable import ReactorCLI

/// `reactor export systemd` and `cron`: what systemd and a shell make of the texts.
@Suite(.timeLimit(.minutes(2))) struct ScheduledMachineTests {
  static let analyze = "/usr/bin/systemd-analyze"
  static var hasSystemd: Bool { FileManager.default.isExecutableFile(atPath: analyze) }

  private func shell(_ line: String, _ files: [String: String] = ["flows/shop.yaml": ExportTests.shop]) async throws
    -> ProcessTests.Ended
  {
    try await ProcessTests().shell(line, in: try Workbench(files))
  }

  // MARK: - Calendar

  /// The first starts after an instant, by the fields themselves, in UTC.
  private func starts(of times: CronTimes, after base: Date, count: Int) -> [Date] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var found: [Date] = []
    var day = calendar.startOfDay(for: base)
    while found.count < count {
      let parts = calendar.dateComponents([.month, .day, .weekday], from: day)
      let fits = (times.day.contains(parts.day ?? 0), times.weekday.contains((parts.weekday ?? 0) - 1))
      let isDay = times.day.isAny || times.weekday.isAny ? fits.0 && fits.1 : fits.0 || fits.1
      if isDay, times.month.contains(parts.month ?? 0) {
        for minute in 0..<1440 where times.hour.contains(minute / 60) && times.minute.contains(minute % 60) {
          let start = day.addingTimeInterval(Double(minute) * 60)
          if start > base { found.append(start) }
        }
      }
      day = day.addingTimeInterval(86_400)
    }
    return Array(found.prefix(count))
  }

  @Test(
    .enabled(if: hasSystemd, "systemd-analyze is not installed"),
    arguments: [
      "* * * * *", "*/15 * * * *", "0 */6 * * *", "30 2 * * 1-5", "0 0 1,15 * 5", "15 3 29 2 *", "0 12 31 * *",
      "5-20/5 8-17 * 1-3,12 0,3", "0 0 * * 0", "59 23 1-7 */2 *", "7 4 */3 * *", "0 0 13 * FRI,SUN", "0 0 * * 0-7",
      "0,1,2,30 0-3,5 * * SAT-SUN,MON", "1-59/2 */5 30,31 4-6 2",
    ])
  func `systemd starts when the fields of cron say`(_ text: String) async throws {
    let times = try CronText.times(in: text.replacing("SAT-SUN,MON", with: "6,0,1"))
    let base = Date(timeIntervalSince1970: 1_706_572_800)  // 2024-01-30 00:00 UTC
    var found: Set<String> = []
    for expression in CalendarText.expressions(of: times, zone: "UTC") {
      let ended = try await shell(
        "TZ=UTC LC_ALL=C \(Self.analyze) calendar --base-time='2024-01-30 00:00:00 UTC' --iterations=12 '\(expression)'"
      )
      #expect(ended.code == 0, "\(expression): \(ended.err)")
      for line in ended.out.split(separator: "\n") {
        guard let start = line.firstMatch(of: /(?:Next elapse|Iter\. #\d+|Iteration #\d+): (.* UTC)/) else { continue }
        found.insert(String(start.1))
      }
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = .gmt
    format.dateFormat = "EEE yyyy-MM-dd HH:mm:ss 'UTC'"
    let expected = starts(of: times, after: base, count: 12).map(format.string)
    #expect(found.sorted { $0.dropFirst(4) < $1.dropFirst(4) }.prefix(12).map { $0 } == expected, "\(text)")
  }

  @Test(arguments: [
    ("30 2 * * 1-5", ["Mon..Fri *-*-* 02:30:00 UTC"]), ("*/5 * * * *", ["*-*-* *:00/5:00 UTC"]),
    ("0 0 1,15 * 5", ["*-*-01,15 00:00:00 UTC", "Fri *-*-* 00:00:00 UTC"]),
    ("0 0 * * 6,0", ["Sat,Sun *-*-* 00:00:00 UTC"]),
  ])
  func `an expression is one that a person would write`(_ sample: (text: String, expressions: [String])) throws {
    #expect(try CalendarText.expressions(of: CronText.times(in: sample.text), zone: "UTC") == sample.expressions)
  }

  // MARK: - Units

  @Test(
    .enabled(if: hasSystemd, "systemd-analyze is not installed"),
    arguments: [
      "-s tag:daily", "-s products --user pulls", "-s products --user pulls --root '/srv/a b%i' --folder '/srv/a b%i'",
    ])
  func `systemd accepts the units, and finds them hardened`(_ arguments: String) async throws {
    let ended = try await shell(
      """
      mkdir -p "$PWD/bin" && "$REACTOR" export systemd \(arguments) -o units && cd units || exit 1
      # The program is not installed here, and the folders need not exist.
      sed -i "s|^ExecStart=reactor |ExecStart=$REACTOR |" shop.service
      \(Self.analyze) verify ./shop.service ./shop-failed.service ./shop.timer || exit 1
      for unit in shop.service shop-failed.service; do
        \(Self.analyze) security --offline=yes --threshold=20 ./$unit >report || { cat report; exit 1; }
      done
      sed -i '/^ProtectSystem\\|^CapabilityBoundingSet\\|^SystemCallFilter/d' shop.service
      \(Self.analyze) security --offline=yes --threshold=20 ./shop.service >report && echo 'nothing was found'
      sed -i 's/^OnCalendar=.*/OnCalendar=31 February/' shop.timer
      \(Self.analyze) verify ./shop.timer 2>&1 | grep -c 'calendar specification'
      """)
    #expect(ended.code == 0 && ended.out == "1\n" && ended.err.isEmpty, "\(ended.out)\(ended.err)")
  }

  @Test func `a period without a calendar begins with its timer`() async throws {
    let file =
      "reactor: 1\nhttp: { base_url: https://a.example }\nflows:\n  a:\n    resource: /a\n    schedule: { every: 90m, jitter: 1m }\n"
    let ended = try await shell("\"$REACTOR\" export systemd -o units && cat units/a.timer", ["flows/a.yaml": file])
    #expect(
      ended.out == """
        [Unit]
        Description=Starts a.service: every 90m, jitter 1m

        [Timer]
        OnActiveSec=0
        OnUnitActiveSec=5400
        RandomizedDelaySec=60
        AccuracySec=1s

        [Install]
        WantedBy=timers.target

        """, "\(ended.err)")
    guard Self.hasSystemd else { return }
    let verified = try await shell(
      "\(Self.analyze) verify ./a.timer", ["a.timer": ended.out, "a.service": "[Service]\nExecStart=/bin/true\n"])
    #expect(verified.code == 0, "\(verified.err)")
  }

  @Test func `without a schedule there is no timer`() async throws {
    let file = "reactor: 1\nhttp: { base_url: https://a.example }\nflows: { a: { resource: /a } }\n"
    let ended = try await shell("\"$REACTOR\" export systemd -o units && ls units", ["flows/a.yaml": file])
    #expect(ended.out == "a-failed.service\na.service\n", "\(ended.err)")
  }

  @Test func `a credential is a secret, with or without a line break at its end`() async throws {
    let file =
      "reactor: 1\nsecrets: [TOKEN]\nhttp: { base_url: 'https://a.example', headers: { x-token: '{{ secrets.TOKEN }}' } }\nflows: { a: { resource: /a } }\n"
    let files = ["flows/a.yaml": file, "c/TOKEN": "hush-hush-hush\n", "d/OTHER": "x"]
    let run = "REACTOR_FORMAT=json \"$REACTOR\" run --dry-run"
    #expect(try await shell("CREDENTIALS_DIRECTORY=$PWD/c \(run)", files).code == 0)
    #expect(try await shell("CREDENTIALS_DIRECTORY=$PWD/d \(run)", files).err.contains("secret 'TOKEN' has no value"))
    let wrong = try await shell("mkdir -p e/TOKEN; CREDENTIALS_DIRECTORY=e \(run)", files)
    #expect(wrong.code == 2 && wrong.err.contains("the credential 'e/TOKEN' cannot be read"), "\(wrong.err)")
  }

  /// The words of `ExecStart` as systemd reads them.
  private func words(ofUnit text: String) throws -> [String] {
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      .dropFirst("ExecStart=".count)
    var words: [String] = []
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      var word: [UInt8] = []
      let isQuoted = rest.first == UInt8(ascii: "\"")
      if isQuoted { rest = rest.dropFirst() }
      while let byte = rest.popFirst() {
        if isQuoted ? byte == UInt8(ascii: "\"") : byte == UInt8(ascii: " ") { break }
        guard byte == UInt8(ascii: "\\") else {
          word.append(byte)
          continue
        }
        switch rest.popFirst() {
        case UInt8(ascii: "n"): word.append(0x0A)
        case UInt8(ascii: "t"): word.append(0x09)
        case UInt8(ascii: "x"):
          word.append(try #require(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)))
          rest = rest.dropFirst(2)
        case let byte?: word.append(byte)
        case nil: break
        }
      }
      if isQuoted, rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
      words.append(String(decoding: word, as: UTF8.self).replacing("%%", with: "%").replacing("$$", with: "$"))
    }
    return words
  }

  static let file = """
    reactor: 1
    vars: { v: a }
    http: { base_url: https://a.example }
    defaults: { schedule: '@daily' }
    flows: { a: { resource: /a } }

    """

  @Test(arguments: ExportTests.hostile) func `systemd starts each text as it is`(_ value: String) async throws {
    let bench = try Workbench(["flows/a.yaml": Self.file, "value": "v=" + value])
    let ended = try await ProcessTests().shell(
      "IFS= read -r -d '' V <value; \"$REACTOR\" export systemd --var \"$V\"", in: bench)
    #expect(ended.code == 0 && ended.err.isEmpty, "\(ended.err)")
    #expect(try words(ofUnit: ended.out).prefix(4) == ["reactor", "run", "--var", "v=\(value)"])
  }

  // MARK: - cron

  /// The command of a file of cron, as cron gives it to a shell.
  private func command(of text: String) throws -> String {
    let line = try #require(text.split(separator: "\n").last)
    let command = String(line.split(separator: " ", maxSplits: 6)[6])
    let parts = command.replacing(#"\%"#, with: "\u{1}")
    #expect(!parts.contains("%"))
    return parts.replacing("\u{1}", with: "%")
  }

  /// Runs a command as cron does, with a program that prints its arguments and without a wait.
  private func run(_ command: String, zone: String) async throws -> ProcessTests.Ended {
    try await shell(
      "chmod +x bin/*; PATH=$PWD/bin:$PATH TZ=\(zone) /bin/sh script.sh",
      [
        "script.sh": command, "bin/reactor": "#!/bin/sh\nprintf '%s\\0' \"$@\"\n", "bin/sleep": "#!/bin/sh\n",
      ])
  }

  @Test(arguments: ExportTests.hostile) func `cron starts each text as it is, or the export refuses it`(_ value: String)
    async throws
  {
    let bench = try Workbench(["flows/a.yaml": Self.file, "value": "v=" + value])
    let ended = try await ProcessTests().shell(
      "IFS= read -r -d '' V <value; \"$REACTOR\" export cron --folder \"$PWD\" --var \"$V\"", in: bench)
    guard !value.contains(where: { $0 == "\\" || $0.isASCII && $0 < " " }) else {
      #expect(ended.code == 2 && ended.err.contains("cron cannot pass "), "\(ended.err)")
      return
    }
    #expect(ended.code == 0 && ended.err.isEmpty, "\(ended.err)")
    let ran = try await run(command(of: ended.out), zone: "UTC")
    #expect(ran.code == 0 && ran.err.isEmpty, "\(ran.err)")
    #expect(
      ran.out.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init) == [
        "run", "--var", "v=\(value)", "--root", "/var/lib/a", "--if-running", "skip", "--quiet",
      ])
  }

  @Test func `a start at the time of another zone runs nothing`() async throws {
    let text = try await shell(
      "\"$REACTOR\" export cron -s tag:daily --var since=2024-01-01 --folder / --root /tmp --user me"
    ).out
    #expect(try await run(command(of: text), zone: "Europe/Berlin").out.hasPrefix("run\0-s\0tag:daily\0"))
    let other = try await run(command(of: text), zone: "Asia/Tokyo")
    #expect(
      other.code == 1
        && other.out == "shop: the time zone of this machine is not Europe/Berlin: nothing was run\n", "\(other.out)")
    // Each hour and each period are the same in all zones.
    #expect(try await !shell("\"$REACTOR\" export cron -s products --var since=2024-01-01").out.contains("TZ="))
  }
}
