public import JSONSyntax

/// A program in the documented jq subset (docs/reference/reshape.md), parsed once and run on any number of inputs.
///
/// ```swift
/// let program = try Reshape(parsing: ".items[] | {id, name: .profile.name}")
/// let records = try program.results(for: response)
/// ```
///
/// Parsing and running any program need at most about 256 KiB of stack. ``ReshapeLimits`` bounds a run. A program has
/// no access to files, the environment, the clock or random numbers.
public struct Reshape: Sendable, Hashable {
  /// The program's text.
  public let text: String
  let program: Program
  let entry: Ref

  /// Parses a program of at most 64 KiB and resolves all its names.
  public init(parsing text: String) throws(ReshapeError) {
    var parser = Parser(text, prelude: Prelude.shared)
    self.entry = try parser.parse()
    self.program = parser.program
    self.text = text
  }

  /// Runs the program on one input, and calls `emit` with each result as soon as it is known.
  ///
  /// - Parameters:
  ///   - input: any value, with a nesting of at most ``ReshapeLimits/valueDepth``.
  ///   - limits: the limits of the run.
  ///   - emit: receives the results in jq's order; an error that it throws ends the run.
  public func run<EmitError: Error>(
    _ input: JSONValue, limits: ReshapeLimits = ReshapeLimits(), emit: (JSONValue) throws(EmitError) -> Void
  ) throws(ReshapeStop<EmitError>) {
    var machine = Machine(program, limits: limits)
    do throws(ReshapeRunError) {
      try machine.begin(entry, on: input)
    } catch {
      throw .failed(error)
    }
    while true {
      let result: JSONValue?
      do throws(ReshapeRunError) {
        result = try machine.result()
      } catch {
        throw .failed(error)
      }
      guard let result else { return }
      do throws(EmitError) {
        try emit(result)
      } catch {
        throw .refused(error)
      }
    }
  }

  /// All results of one input.
  public func results(
    for input: JSONValue, limits: ReshapeLimits = ReshapeLimits()
  ) throws(ReshapeRunError) -> [JSONValue] {
    var machine = Machine(program, limits: limits)
    try machine.begin(entry, on: input)
    var results: [JSONValue] = []
    while let result = try machine.result() { results.append(result) }
    return results
  }

  /// Whether both programs have the same text.
  public static func == (left: Reshape, right: Reshape) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
