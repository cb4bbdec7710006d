public import ReactorCore

/// Checks what every `Persistence` promises.
///
/// ```swift
/// let contract = PersistenceContract(models: ("a", "b"), make: { InMemoryPersistence<String>() }, isSame: ==)
/// #expect(await contract.violations() == [])
/// ```
public struct PersistenceContract<Subject: Persistence>: Sendable {
  /// Time as the subject sees it, for those that expire.
  public struct Expiry: Sendable {
    let lifetime: Duration
    let advance: @Sendable (Duration) -> Void

    /// - Parameter lifetime: for how long the subject serves a result.
    /// - Parameter advance: moves its clock; a negative duration sets it back.
    public init(lifetime: Duration, advance: @escaping @Sendable (Duration) -> Void) {
      self.lifetime = lifetime
      self.advance = advance
    }
  }

  private let one: Subject.Model
  private let two: Subject.Model
  private let make: @Sendable () async throws -> Subject
  private let isSame: @Sendable (Subject.Model, Subject.Model) async throws -> Bool
  private let expiry: Expiry?
  private let resource = Resource(path: "/things", method: .GET, query: [.init("page", "1")])

  /// A contract to check.
  ///
  /// - Parameter models: two that differ.
  /// - Parameter make: makes an empty subject, each time at a new location.
  /// - Parameter expiry: nil for a subject that never expires.
  public init(
    models: (Subject.Model, Subject.Model), expiry: Expiry? = nil,
    make: @escaping @Sendable () async throws -> Subject,
    isSame: @escaping @Sendable (Subject.Model, Subject.Model) async throws -> Bool
  ) {
    (one, two) = models
    self.make = make
    self.isSame = isSame
    self.expiry = expiry
  }

  /// The promises that the subject breaks, in words; empty when it holds them all.
  public func violations() async -> [String] {
    var found: [String] = []
    for (promise, check) in promises {
      do {
        if let breach = try await check() { found.append("\(promise): \(breach)") }
      } catch {
        found.append("\(promise): threw \(error)")
      }
    }
    return found
  }

  private typealias Check = @Sendable () async throws -> String?

  private var promises: [(String, Check)] {
    [
      ("an empty one is absent", emptyIsAbsent), ("a saved model loads back", savedLoads),
      ("a later save replaces", laterReplaces), ("resources do not mix", resourcesDoNotMix),
      ("every part of a resource counts", everyPartCounts), ("concurrent saves leave one whole", concurrentSaves),
      ("a cancelled save leaves the old or the new one", cancelledSave),
      ("a cancelled load is cancelled or right", cancelledLoad),
      ("a result is served until its time", servesUntilItsTime),
    ]
  }

  @Sendable private func emptyIsAbsent() async throws -> String? {
    try await expectMiss([.absent], from: make(), for: resource)
  }

  @Sendable private func savedLoads() async throws -> String? {
    let subject = try await make()
    let saved = try await subject.save(one, for: resource)
    guard try await isSame(saved, one) else { return "save gave back another model" }
    for _ in 0..<2 {
      if let breach = try await expectHit(one, from: subject, for: resource) { return breach }
    }
    return nil
  }

  @Sendable private func laterReplaces() async throws -> String? {
    let subject = try await make()
    _ = try await subject.save(one, for: resource)
    _ = try await subject.save(two, for: resource)
    return try await expectHit(two, from: subject, for: resource)
  }

  @Sendable private func resourcesDoNotMix() async throws -> String? {
    let subject = try await make()
    let other = Resource(path: "/others", method: .GET)
    _ = try await subject.save(one, for: resource)
    if let breach = try await expectMiss([.absent, .otherResource], from: subject, for: other) { return breach }
    _ = try await subject.save(two, for: other)
    if let breach = try await expectHit(two, from: subject, for: other) { return breach }
    // One file may hold one resource at a time; the first may be gone, but never turn into the second.
    guard case .hit(let model) = try await subject.load(for: resource) else { return nil }
    return try await isSame(model, one) ? nil : "the other resource's model was served"
  }

  @Sendable private func everyPartCounts() async throws -> String? {
    let subject = try await make()
    _ = try await subject.save(one, for: resource)
    var others: [Resource] = []
    for change: (inout Resource) -> Void in [
      { $0.method = .POST }, { $0.path += "/1" }, { $0.query = [.init("page", "2")] }, { $0.query = [] },
      { $0.body = [] }, { $0.headers["Authorization"] = "Bearer other" },
    ] {
      var other = resource
      change(&other)
      others.append(other)
    }
    for other in others {
      if let breach = try await expectMiss([.absent, .otherResource], from: subject, for: other) { return breach }
    }
    return nil
  }

  @Sendable private func concurrentSaves() async throws -> String? {
    let subject = try await make()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        group.addTask { _ = try await subject.save(index.isMultiple(of: 2) ? one : two, for: resource) }
      }
      try await group.waitForAll()
    }
    guard case .hit(let model) = try await subject.load(for: resource) else { return "nothing was served" }
    if try await isSame(model, one) { return nil }
    return try await isSame(model, two) ? nil : "a mix was served"
  }

  @Sendable private func cancelledSave() async throws -> String? {
    let subject = try await make()
    _ = try await subject.save(one, for: resource)
    let saved = await cancelled { () async throws -> Subject.Model in try await subject.save(two, for: resource) }
    switch saved {
    case .success: return try await expectHit(two, from: subject, for: resource)
    case .failure(let error):
      guard (error as? ReactorError)?.kind == .cancelled else { return "failed with \(error)" }
      return try await expectHit(one, from: subject, for: resource)
    }
  }

  @Sendable private func cancelledLoad() async throws -> String? {
    let subject = try await make()
    _ = try await subject.save(one, for: resource)
    let read = await cancelled { () async throws -> PersistenceRead<Subject.Model> in
      try await subject.load(for: resource)
    }
    switch read {
    case .success(.hit(let model)): return try await isSame(model, one) ? nil : "another model was served"
    case .success(.miss(let reason)): return "missed: \(reason)"
    case .failure(let error): return (error as? ReactorError)?.kind == .cancelled ? nil : "failed with \(error)"
    }
  }

  @Sendable private func servesUntilItsTime() async throws -> String? {
    guard let expiry else { return nil }
    let subject = try await make()
    _ = try await subject.save(one, for: resource)
    expiry.advance(expiry.lifetime / 2)
    if let breach = try await expectHit(one, from: subject, for: resource) { return "at half its time: \(breach)" }
    expiry.advance(expiry.lifetime)
    if let breach = try await expectMiss([.expired], from: subject, for: resource) { return "after it: \(breach)" }
    _ = try await subject.save(two, for: resource)
    if let breach = try await expectHit(two, from: subject, for: resource) { return "saved anew: \(breach)" }
    expiry.advance(.zero - expiry.lifetime / 4)
    defer { expiry.advance(expiry.lifetime) }
    return try await expectMiss([.expired], from: subject, for: resource).map { "dated in the future: \($0)" }
  }

  /// Runs `work` in a task that is cancelled before it begins.
  private func cancelled<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await work()
    }.result
  }

  private func expectHit(
    _ expected: Subject.Model, from subject: Subject, for resource: Resource
  ) async throws -> String? {
    switch try await subject.load(for: resource) {
    case .miss(let reason): "missed: \(reason)"
    case .hit(let model): try await isSame(model, expected) ? nil : "another model was served"
    }
  }

  private func expectMiss(
    _ expected: [PersistenceMiss], from subject: Subject, for resource: Resource
  ) async throws -> String? {
    switch try await subject.load(for: resource) {
    case .hit: "something was served"
    case .miss(let reason): expected.contains(reason) ? nil : "missed for another reason: \(reason)"
    }
  }
}
