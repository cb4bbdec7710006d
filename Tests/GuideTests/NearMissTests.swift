import Foundation
import ReactorState
import TestSupport
import Testing

/// Functions that differ from those of `StateReactor` in a label or a type are found, and never replaced by a default.
@Suite(.timeLimit(.minutes(5))) struct NearMissTests {
  /// Reactors without `initialState`, and the name of each.
  private static let misses = [
    "MutateLabel": """
    enum Mutation { case set(Int) }
    func mutate(action: Action) -> Effect<Mutation> { .commit(.set(1)) }
    func reduce(_ state: inout Int, _ mutation: Mutation) {}
    """,
    "MutateLabels": """
    enum Mutation { case set(Int) }
    func mutate(action: Action, state: Int) -> Effect<Mutation> { .commit(.set(1)) }
    func reduce(_ state: inout Int, _ mutation: Mutation) {}
    """,
    "MutateEffect": """
    enum Mutation { case set(Int) }
    func mutate(_ action: Action, state: Int) -> Effect<Action> { .none }
    func reduce(_ state: inout Int, _ mutation: Mutation) {}
    """,
    "MutateState": """
    enum Mutation { case set(Int) }
    func mutate(_ action: Action, state: String) -> Effect<Mutation> { .none }
    func reduce(_ state: inout Int, _ mutation: Mutation) {}
    """,
    "ReduceLabels": "func reduce(state: Int, mutation: Action) -> Int { state }",
    "ReduceLabelsInPlace": "func reduce(state: inout Int, mutation: Action) {}",
    "ReduceCopy": "func reduce(_ state: Int, _ mutation: Action) -> Int { state }",
    "ReduceMutation": """
    enum Mutation { case set(Int) }
    func mutate(_ action: Action, state: Int) -> Effect<Mutation> { .none }
    func reduce(_ state: inout Int, _ mutation: Action) {}
    """,
  ]

  private func compile(_ source: String) async throws -> Program.Outcome {
    let folder = try Workspace()
    let file = folder.folder.appendingPathComponent("reactors.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let modules = URL(fileURLWithPath: try Repository.program("reactor")).deletingLastPathComponent()
      .appendingPathComponent("Modules").path
    return try await Program(
      "/usr/bin/env", ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules, file.path],
      in: folder.folder, inherits: true
    ).end(within: 240)
  }

  private func reactor(_ name: String, _ members: String) -> String {
    """
    struct \(name): StateReactor {
      enum Action { case tap }
      typealias State = Int
      var initialState: Int { 0 }
      \(members)
    }

    """
  }

  @Test func `each near miss does not compile, and a reactor without one does`() async throws {
    let good = reactor("Good", "func reduce(_ state: inout Int, _ mutation: Action) {}")
    let accepted = try await compile("import ReactorState\n" + good)
    #expect(accepted.status == 0, "\(accepted.stderr)")
    let all = Self.misses.sorted { $0.key < $1.key }
    let refused = try await compile("import ReactorState\n" + all.map { reactor($0.key, $0.value) }.joined() + good)
    // Each error is in the lines of its reactor.
    let lines = refused.stderr.split(separator: "\n").filter {
      $0.contains("reactors.swift:") && $0.contains(": error: ")
    }
    let found = lines.compactMap { $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } }
    var line = 2
    for (name, members) in all {
      let length = reactor(name, members).split(separator: "\n", omittingEmptySubsequences: false).count - 1
      #expect(found.contains { (line..<line + length).contains($0) }, "\(name): \(refused.stderr)")
      line += length
    }
    #expect(found.allSatisfy { $0 < line })
  }

  /// Actions that are mutations: here a `mutate` of another name leaves the default in place.
  struct OldName: StateReactor {
    enum Action { case load, loaded }
    var initialState: Int { 0 }
    func mutate(action: Action) -> Effect<Action> { .none }
    func reduce(_ state: inout Int, _ mutation: Action) { state += 1 }
  }

  struct OldNameWithState: StateReactor {
    enum Action { case load, loaded }
    var initialState: Int { 0 }
    func mutate(action: Action, state: Int) -> Effect<Action> { .none }
    func reduce(_ state: inout Int, _ mutation: Action) { state += 1 }
  }

  @Test func `a mutate of another name ends the program at the first action`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await ReactorStore(OldName()).dispatch(.load)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("OldName declares 'mutate' with the label 'action:'"), "\(text)")
    await #expect(processExitsWith: .failure) { await ReactorStore(OldNameWithState()).dispatch(.load) }
  }
}
