/// The keys of `defaults`.
enum DefaultsKeys {
  static let construct = Construct(
    .defaults, noun: "'defaults'", "Keys of flows that hold for every flow of the file.",
    details: "A flow's own key wins, also for the single keys of `persistence`.",
    fields: [
      FlowKeys.tags, FlowKeys.prune, FlowKeys.reachability, FlowKeys.wait, FlowKeys.retry, FlowKeys.errors, persistence,
    ],
    frame: .init(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      defaults:
        ◆
      flows: { orders: { resource: /orders } }
      """))

  static let persistence = Field(
    "persistence", .whole(.construct(.defaultPersistence)), default: "none", "How the results of all flows are kept.",
    details: "Only flows that have a `persistence.path` are persisted.", edit: .keepsResult,
    examples: ["persistence: { expires_after: 1h }"],
    mistakes: ["persistence: { ↓path: out/all.jsonl }": .misplacedKey, "persistence: ↓out/all.jsonl": .misplacedKey])
}

/// The keys of `defaults.persistence`.
enum DefaultPersistenceKeys {
  static let construct = Construct(
    .defaultPersistence, noun: "'defaults.persistence'", "How results are kept, for every persisted flow of the file.",
    fields: [PersistenceKeys.expiresAfter, PersistenceKeys.failOnSaveError],
    frame: .init(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      defaults:
        persistence:
          ◆
      flows: { orders: { resource: /orders } }
      """))
}
