enum JobRetryKeys {
  static let construct = Construct(
    .jobRetry, noun: "'job.retry'", "How many jobs are created after one that failed, and when.",
    details: """
      It applies to jobs for which `failed` is true, because some failures of a server are temporary. The failed job \
      is deleted if `remove` is declared, and the same request creates another one, with a `deadline` of its own. A \
      job that passes its deadline or is in an unknown state fails the flow. The flow's own `retry` is about single \
      requests. A run that ends between two jobs is continued by the next run, which creates at most the remaining \
      number of jobs. An idempotency key gets the number of the job at its end, because with an equal key the server \
      would respond with the failed job.
      """,
    shortForm: .init(.integer(1...100), "A number means `max`.", examples: ["2"]), fields: [max, wait],
    frame: .flow(
      """
      resource: { method: POST, path: /exports }
      job:
        id: response.id
        poll: "/exports/{{ job.id }}"
        failed: response.state == 'failed'
        done: response.state == 'done'
        download: "/exports/{{ job.id }}/file"
        retry:
          ◆
      """, supplies: ["max: 2"]))

  static let max = Field(
    "max", .integer(1...100), default: .required, "How many more jobs are created after the first one.",
    details: "If the last one fails too, the flow fails.", edit: .keepsResult, examples: ["max: 2"],
    mistakes: ["max: ↓0": .outOfRange, "max: ↓many": .invalidInteger])

  static let wait = Field(
    "wait", .duration(0.001...86_400), default: "10s", "The wait between the failure of a job and the next one.",
    details: "During this time the failed job does not count for `concurrency`.", edit: .keepsResult,
    examples: ["wait: 5m"], mistakes: ["wait: ↓5": .invalidDuration, "wait: ↓2d": .outOfRange])
}
