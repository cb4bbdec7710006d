extension Construct {
  static let defaults = Construct(
    .defaults, noun: "'defaults'", "Keys of flows that hold for every flow of the file.",
    details: "A flow's own key wins, also for the single keys of `persistence`.",
    fields: [
      Flow.tags, Flow.prune, Flow.reachability, Flow.wait, Flow.retry, Flow.errors,
      FieldSpec(
        "persistence", .construct(.defaultPersistence), default: "none", "How the results of all flows are kept.",
        details: "Only flows that have a `persistence.path` are persisted.",
        examples: ["persistence: { expires_after: 1h }"],
        mistakes: [
          .init("persistence: { ↓path: out/all.jsonl }", .misplacedKey),
          .init("persistence: ↓out/all.jsonl", .misplacedKey),
        ]),
    ],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      defaults:
        ◆
      flows: { orders: { resource: /orders } }
      """))

  static let defaultPersistence = Construct(
    .defaultPersistence, noun: "'defaults.persistence'", "How results are kept, for every persisted flow of the file.",
    fields: [Persistence.expiresAfter, Persistence.failOnSaveError],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      defaults:
        persistence:
          ◆
      flows: { orders: { resource: /orders } }
      """))
}
