public import JSONSyntax

/// A program of the documented jq subset (docs/reference/reshape.md), parsed once and run on any number of inputs.
///
/// ```swift
/// let program = try Reshape(parsing: ".items[] | {id, name: .profile.name}")
/// let records = try program.results(for: response)
/// ```
///
/// Neither parsing nor running needs more than about 256 KiB of stack, whatever the program, and running is bounded by
/// ``ReshapeLimits``. There is no access to files, environment, clock or random.
public struct Reshape: Sendable, Hashable {
  /// The program as written.
  public let text: String
  let program: Program
  let entry: Ref

  /// Parses a program, of at most 64 KiB, and resolves all its names.
  public init(parsing text: String) throws(ReshapeError) {
    var parser = Parser(text, prelude: Prelude.shared)
    self.entry = try parser.parse()
    self.program = parser.program
    self.text = text
  }

  /// Runs the program on one input and calls `emit` with each result as it comes.
  ///
  /// - Parameters:
  ///   - input: any value, nested at most ``ReshapeLimits/valueDepth`` deep.
  ///   - limits: what the run may use.
  ///   - emit: takes the results in jq's order; what it throws ends the run.
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

  /// Programs are the same when their texts are.
  public static func == (left: Reshape, right: Reshape) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
