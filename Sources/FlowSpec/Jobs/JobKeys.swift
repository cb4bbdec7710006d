import Expressions

enum JobKeys {
  static let construct = Construct(
    .job, noun: "'job'", "How to await the result of a job that the request starts at the server.",
    details: """
      The flow's `resource` creates the job. The job is polled until a condition says how it ended, and then its result \
      is downloaded: `decode`, `records`, `pages` and the schema apply to it. `errors` and `retry` apply to \
      each of the requests. Each parent of `each`, and each slice of a cursor, has its own job. Downloads from another \
      origin, such as a file store, are requested without credentials.
      A job that ended, whatever its state, is deleted if `remove` is declared. If the run ends before the job, the next \
      run finds the job again.
      """,
    fields: [
      id, values, poll, statusURL, every, maxEvery, done, failed, retry, empty, running, deadline, locate, download,
      urls, delete, abort, atOnce, resume,
    ],
    requirements: [
      .oneOf(
        [poll, statusURL], code: .missingKey, "the request for the state of the job is missing",
        help: "add 'poll: \"/jobs/{{ job.id }}\"', or 'url'"),
      .excludes([statusURL], poll, code: .misplacedKey, help: "keep one of 'poll' and 'url'") { _, _ in
        "only one request for the state of the job is allowed, not 2"
      },
      .oneOf(
        [download, urls], code: .missingKey, "the request for the result of the job is missing",
        help: "add 'download: \"/jobs/{{ job.id }}/result\"', or 'urls'"),
      .excludes([urls], download, code: .misplacedKey, help: "keep one of 'download' and 'urls'") { _, _ in
        "only one request for the result of the job is allowed, not 2"
      },
      .needs(
        locate, urls, code: .misplacedKey, "'locate' requests URLs, but there is no 'urls' that reads them",
        help: "add 'urls: response.url'"),
      .needs(
        retry, failed, code: .misplacedKey, "'retry' needs 'failed', which says when a job has failed",
        help: "add 'failed', or leave 'retry' out"),
    ],
    frame: .flow(
      "resource: { method: POST, path: /exports }\njob:\n  ◆",
      supplies: [
        "id: response.id", "poll: \"/exports/{{ job.id }}\"", "done: response.state == 'done'",
        "download: \"/exports/{{ job.id }}/file\"",
      ], alternatives: ["poll": "url", "download": "urls"]))

  static let id = Field(
    "id", .expression(.optional(.dynamic)), default: .required, "An expression that gives the job's id.",
    details: """
      It can use `response`, `headers` (names in lower case) and `status` of the response that creates the job, and the \
      names of `each`. The requests of the job can use the id as `{{ job.id }}`.
      """, edit: .asksAnew, examples: ["id: response.id", "id: response.data.job.id"],
    mistakes: ["id: ↓resp.id": .templateUnknownRoot, "id: response.id >↓": .expressionSyntax])

  static let values = Field(
    "values", .whole(.map(.variable, .expression)), default: "none",
    "Further values of the response that creates the job, as expressions by name.",
    details:
      "The expressions can use the same variables as `id`. The requests of the job can use them as `{{ job.NAME }}`.",
    edit: .asksAnew,
    examples: ["values: { region: response.region }\npoll: \"/{{ job.region }}/exports/{{ job.id }}\""],
    mistakes: [
      "values: { ↓id: response.key }": .duplicateItem, "values: ↓response.key": .wrongKind,
      "values: { key: ↓resp.key }": .templateUnknownRoot,
    ])

  static let poll = Field(
    "poll", .construct(.resource) { $0.resource($1) }, default: "none: `url`",
    "The request for the state of the job.",
    details: "Its response is JSON. It can use `job` and the names of `each`.", edit: .byItsKeys,
    examples: ["poll: \"/exports/{{ job.id }}\"", "poll: { path: /status, query: { job: \"{{ job.id }}\" } }"],
    mistakes: [
      "poll: \"/exports/{{ ↓jbo.id }}\"": .templateUnknownRoot, "poll: \"/exports/{{ job.↓key }}\"": .expressionName,
    ])

  static let statusURL = Field(
    "url", .expression(.optional(.dynamic)), default: "none: `poll`",
    "An expression that gives the URL of the job's state, for servers whose response contains it.",
    details: "The expression can use the same variables as `id`; a relative URL is relative to the response's URL.",
    edit: .asksAnew,
    examples: ["url: headers.location", "url: response.links.status"],
    mistakes: [
      "poll: /status\n↓url: headers.location": .misplacedKey, "url: ↓job.url": .templateUnknownRoot,
    ])

  static let every = Field(
    "wait", .duration(0.001...86_400), default: "5s", "The wait before the first poll; it doubles up to `max_wait`.",
    details: "`Retry-After` in the response of a poll sets the next wait instead.", edit: .keepsResult,
    examples: ["wait: 10s"],
    mistakes: ["wait: ↓10": .invalidDuration, "wait: ↓2h\ndeadline: 1h": .outOfRange])

  static let maxEvery = Field(
    "max_wait", .duration(0.001...86_400), default: "1m, or `wait` if that is longer",
    "The longest wait between two polls.", edit: .keepsResult, examples: ["max_wait: 5m"],
    mistakes: ["max_wait: ↓0s": .outOfRange, "wait: 2m\nmax_wait: ↓1m": .outOfRange])

  static let done = Field(
    "done", .condition, default: .required, "A condition that is true when the job has a result.",
    details: """
      It can use `response`, `headers` and `status` of the response to a poll, `job`, and the names of `each`. The \
      conditions are tried in the order `failed`, `empty`, `done`, `running`. A condition that uses a member which the \
      response does not have is false.
      """, edit: .asksAnew,
    examples: ["done: response.state == 'done'", "done: response.status in ['COMPLETED', 'PARTIAL']"],
    mistakes: ["done: ↓length(response.files)": .expressionType, "done: ↓resp.done": .templateUnknownRoot])

  static let failed = Field(
    "failed", .condition, default: "none",
    "A condition that is true when the job has failed; the flow then fails, or creates another job (`retry`).",
    details: "The expression can use the same variables as `done`.", edit: .keepsResult,
    examples: ["failed: response.state in ['failed', 'expired']"],
    mistakes: ["failed: ↓resp.state == 'failed'": .templateUnknownRoot])

  static let retry = Field(
    "retry", .construct(.jobRetry) { $0.jobRetry($1) }, default: "none: the flow fails with its job",
    "How many jobs are created after one that failed, and when.", edit: .byItsKeys,
    examples: [
      "failed: response.state == 'failed'\nretry: { max: 2, wait: 5m }", "failed: response.state == 'failed'\nretry: 2",
    ],
    mistakes: [
      "↓retry: 2": .misplacedKey, "failed: response.state == 'failed'\nretry: ↓0": .outOfRange,
    ])

  static let empty = Field(
    "empty", .condition, default: "none", "A condition that is true when the job is done without a result.",
    details: "The expression can use the same variables as `done`. Nothing is downloaded; the flow has no records.",
    edit: .asksAnew,
    examples: ["empty: response.state == 'done' && response.rows == 0"],
    mistakes: ["empty: ↓resp.rows == 0": .templateUnknownRoot])

  static let running = Field(
    "running", .condition, default: "any other state",
    "A condition that is true while the job runs. With it, a state for which no condition is true is an error.",
    details: "The expression can use the same variables as `done`.", edit: .keepsResult,
    examples: ["running: response.state in ['queued', 'running']"],
    mistakes: ["running: ↓resp.state == 'running'": .templateUnknownRoot])

  static let deadline = Field(
    "deadline", .duration(0.001...2_592_000), default: "1h",
    "The time within which the job must end, from its creation on. If it does not, the flow fails.",
    details: """
      The wait until the job may be created (`concurrency`) and the download do not count. The flow's own `deadline` \
      is an hour longer unless it is declared; a flow with many jobs may need more.
      """, edit: .keepsResult, examples: ["deadline: 6h"], mistakes: ["deadline: ↓0s": .outOfRange])

  static let locate = Field(
    "locate", .construct(.resource) { $0.resource($1) }, default: "none: the response to the last poll has the URLs",
    "A request after the last poll whose response has the `urls` of the result.",
    details: "It can use `job`, the names of `each`, and `response`, `headers` and `status` of the last poll.",
    edit: .byItsKeys, examples: ["locate: \"/exports/{{ job.id }}/files\"\nurls: response.files"],
    mistakes: [
      "locate: \"/exports/{{ ↓jbo.id }}/files\"\nurls: response.files": .templateUnknownRoot,
      "download: /file\n↓locate: /files": .misplacedKey,
    ])

  static let download = Field(
    "download", .construct(.resource) { $0.resource($1) }, default: "none: `urls`", "The request for the job's result.",
    details: """
      It can use `job`, the names of `each`, `response`, `headers` and `status` of the last poll, and with `pages` \
      the name `page`.
      """, edit: .byItsKeys,
    examples: [
      "download: \"/exports/{{ job.id }}/file\"", "download: \"/files/{{ response.file_id }}\"",
    ],
    mistakes: ["download: \"/exports/{{ ↓jbo.id }}\"": .templateUnknownRoot])

  static let urls = Field(
    "urls", .expression(.optional(.dynamic)), default: "none: `download`",
    "An expression that gives the URL of the result, or a list of URLs, read in this order.",
    details: """
      The expression can use the same names as `download`; with `locate`, `response`, `headers` and `status` are those \
      of its response. A relative URL is relative to the URL of the response. An empty list is an error: declare with \
      `empty` when a job has no result.
      """, edit: .asksAnew, examples: ["urls: response.urls", "urls: response.result.url"],
    mistakes: [
      "download: /file\n↓urls: response.urls": .misplacedKey, "urls: ↓resp.urls": .templateUnknownRoot,
    ])

  static let delete = Field(
    "remove", .construct(.resource) { $0.resource($1) }, default: "the job stays",
    "The request that deletes the job at the server after it has ended.",
    details: """
      It is sent after the download, and after a job that failed or passed its deadline. If it fails, the flow does \
      not fail: the report has a warning. It can use `job` and the names of `each`.
      """, edit: .byItsKeys,
    examples: ["remove: { method: DELETE, path: \"/exports/{{ job.id }}\" }"],
    mistakes: ["remove: \"/exports/{{ ↓jbo.id }}\"": .templateUnknownRoot])

  static let abort = Field(
    "stop", .construct(.resource) { $0.resource($1) }, default: "the job goes on at the server",
    "The request that stops a job for which no run waits any more.",
    details: """
      It is sent for a job that passed its deadline, has a state for which no condition is true, or is not found again \
      by the next run; not for one that has ended. `remove` is sent after it. If it fails, the report has a warning. \
      It can use `job` and the names of `each`.
      """, edit: .byItsKeys,
    examples: ["stop: { method: POST, path: \"/exports/{{ job.id }}/cancel\" }"],
    mistakes: ["stop: \"/exports/{{ ↓jbo.id }}/cancel\"": .templateUnknownRoot])

  static let atOnce = Field(
    "concurrency", .integer(1...1000), default: "unlimited",
    "The maximum number of jobs that exist at the host at once, for all flows together.",
    details:
      "While a run has this many jobs, its flows create no more. A job counts from its creation to the end of its download.",
    edit: .keepsResult, examples: ["concurrency: 3"], mistakes: ["concurrency: ↓0": .outOfRange])

  static let resume = Field(
    "resume", .boolean, default: "true", "Whether the next run goes on with a job that a run left unfinished.",
    details: """
      The id and the values of a job are kept in `.reactor/jobs` below the output root until its result is read, \
      unless they contain a secret. A run that sends the same request before the job's `deadline` goes on with that \
      job.
      """, edit: .keepsResult, examples: ["resume: false"], mistakes: ["resume: ↓no": .invalidBoolean])
}
