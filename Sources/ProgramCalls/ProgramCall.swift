internal import CFileCalls
internal import DetachedThread

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A call of another program, without a shell and with a time limit.
///
/// The program is in a process group of its own. When its time is over, the whole group is killed; what it has started
/// and left behind is killed too when it ends.
package struct ProgramCall: Sendable {
  /// How a program ended.
  package struct Outcome: Sendable, Hashable {
    /// The exit code; nil when a signal has ended the program.
    package let code: Int32?
    /// What the program has written to standard output, up to the limit.
    package let output: [UInt8]
    /// What the program has written to standard error, up to the limit.
    package let errors: [UInt8]
    /// Whether a stream had more than the limit.
    package let isCut: Bool

    /// Whether the program says that it has succeeded.
    package var isSuccess: Bool { code == 0 }

    /// How the program ended and its last three lines of messages, which completes a message that begins with the program.
    ///
    /// The lines are as the program has written them: any character may be in them.
    package var message: String {
      let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(3)
      let ending = code.map { "ended with exit code \($0)" } ?? "was ended by a signal"
      return ending + (lines.isEmpty ? "" : ": \(lines.joined(separator: " "))")
    }
  }

  /// Why a call has no outcome.
  package enum Failure: Error, Sendable, Hashable {
    /// The program could not be started; with the reason.
    case notStarted(String)
    /// The program was killed, because its time was over.
    case timeLimit

    /// The reason, which completes a message that begins with the program.
    package var message: String {
      switch self {
      case .notStarted(let reason): "cannot be started: \(reason)"
      case .timeLimit: "did not end in time, and was killed"
      }
    }
  }

  /// The program's name or path, and its arguments. A name without a slash is sought on PATH.
  package var words: [String]
  /// The environment variables of the program.
  package var environment: [String: String]
  /// What the program can read from standard input.
  package var input: [UInt8] = []
  /// The time after which the program is killed.
  package var limit: Duration
  /// The number of bytes of each stream that are kept. More is read and dropped.
  package var largestOutput = 64 << 10

  /// Describes a call; starts nothing.
  package init(_ words: [String], environment: [String: String], limit: Duration) {
    self.words = words
    self.environment = environment
    self.limit = limit
  }

  /// Whether this process may execute the file at a path.
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Runs the program and waits for its end, without blocking one of the threads of Swift's pool.
  package func run() async throws(Failure) -> Outcome {
    let result: Result<Outcome, Failure> = await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        continuation.resume(returning: Result { () throws(Failure) in try wait() })
      }
      if !isStarted { continuation.resume(returning: .failure(.notStarted("the system has no thread left"))) }
    }
    return try result.get()
  }

  /// Runs the program and blocks this thread until it ends.
  package func wait() throws(Failure) -> Outcome {
    let texts = words + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    guard let name = words.first, !name.isEmpty, !texts.contains(where: { $0.utf8.contains(0) }) else {
      throw .notStarted(words.first?.isEmpty ?? true ? "it has no name" : "a word contains a NUL character")
    }
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    var arguments = Array(pointers[..<words.count]) + [nil]
    var variables = Array(pointers[words.count...]) + [nil]
    var streams: [Int32] = [-1, -1, -1]
    let process = reactor_start_program(&arguments, &variables, &streams)
    guard process > 0 else {
      let reason = String(cString: strerror(-process))
      throw .notStarted(reason.prefix(1).lowercased() + reason.dropFirst())
    }
    var running = RunningProgram(process, streams, input, largestOutput)
    return try running.end(within: limit)
  }
}

/// A program that runs, and this side of its streams.
private struct RunningProgram {
  private let process: Int32
  private var input: ArraySlice<UInt8>
  /// The descriptor to which the input is written; negative when it is closed.
  private var writing: Int32
  private var reading: [Int32]
  private var kept: [[UInt8]] = [[], []]
  private let largest: Int
  private var isCut = false

  init(_ process: Int32, _ streams: [Int32], _ input: [UInt8], _ largest: Int) {
    (self.process, self.input, self.largest) = (process, input[...], largest)
    (writing, reading) = (streams[0], Array(streams[1...]))
  }

  /// Moves bytes until the program ends; kills what is left of its group.
  mutating func end(within limit: Duration) throws(ProgramCall.Failure) -> ProgramCall.Outcome {
    let deadline = ContinuousClock.now + limit
    var isEnded = false
    while !isEnded, ContinuousClock.now < deadline {
      // The program may close its streams long before its end, and what it started may hold them after it.
      let isIdle = !move(waiting: 20)
      isEnded = reactor_program_has_ended(process) == 1
      if isIdle, !isEnded { usleep(5_000) }
    }
    // No other process can have the id before this one waits for the program.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if isEnded { while move(waiting: 0) {} }
    for descriptor in reading + [writing] where descriptor >= 0 { close(descriptor) }
    guard isEnded else { throw .timeLimit }
    // The lowest seven bits are the signal (wait(2)).
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    return ProgramCall.Outcome(code: code, output: kept[0], errors: kept[1], isCut: isCut)
  }

  /// Writes and reads what is possible within some milliseconds. Returns whether a byte was moved.
  private mutating func move(waiting milliseconds: Int32) -> Bool {
    if input.isEmpty, writing >= 0 {
      close(writing)
      writing = -1
    }
    var polled = reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    polled.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0))
    guard polled.contains(where: { $0.fd >= 0 }), poll(&polled, nfds_t(polled.count), milliseconds) > 0 else {
      return false
    }
    var isMoved = false
    for index in reading.indices where polled[index].revents != 0 {
      if read(index) { isMoved = true }
    }
    if polled[2].revents != 0, write() { isMoved = true }
    return isMoved
  }

  private mutating func read(_ index: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = systemRead(reading[index], &bytes, bytes.count)
    if count > 0 {
      let room = largest - kept[index].count
      if count > room { isCut = true }
      kept[index] += bytes[..<min(count, max(0, room))]
      return true
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    close(reading[index])
    reading[index] = -1
    return false
  }

  private mutating func write() -> Bool {
    let count = input.withUnsafeBytes { systemWrite(writing, $0.baseAddress, $0.count) }
    if count > 0 {
      input = input.dropFirst(count)
      return true
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    // The program does not read its input.
    input = []
    return false
  }
}

#if canImport(Glibc)
  private let (systemRead, systemWrite) = (Glibc.read, Glibc.write)
#else
  private let (systemRead, systemWrite) = (Darwin.read, Darwin.write)
#endif
