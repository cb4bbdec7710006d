import BatchRunner
import FlowCompiler
import FlowRuntime
import FlowSpec
import HTTPTransport
import JSONSyntax
import ReactorCore
import Records
import SourceDiagnostics

/// What the references of `ReactorCore`, `FlowRuntime`, `BatchRunner` and `HTTPTransport` show.
enum DocCFlow {
  struct Article: Mappable {
    let title: String

    static func mapToModel(_ json: JSONValue) throws(MappedError) -> Article {
      Article(title: try json.stringField("title"))
    }

    func mapToJSON() -> JSONValue? { .object(["title": .string(title)]) }
  }

  struct BytesConnection: Connection {
    let baseURL: String
    let send: @Sendable (_ url: String) async throws -> (status: Int, body: [UInt8])

    func response(for resource: Resource) async throws(ReactorError) -> Response {
      let url = try resource.url(relativeTo: baseURL)
      do {
        let (status, body) = try await send(url)
        return Response(status: status, body: ResponseBody(bytes: body))
      } catch {
        throw ReactorError(error, as: .server)
      }
    }
  }

  static func fetch(_ connection: some Connection) async throws {
    let flow: ReactorFlow<[Article]> = createFlow(connection: connection)
    let fetched = try await Reactor(flow: flow).fetch(Resource(path: "/articles", method: .GET))
    print(fetched.model.count, fetched.source, fetched.report.rejected)
  }

  static func articles(_ connection: some Connection) async throws -> [Article] {
    let reactor = Reactor<[Article]>(flow: createFlow(connection: connection))
    let articles = try await reactor.fetch(Resource(path: "/articles", method: .GET)).model
    return articles
  }

  static func flow(_ bytes: @escaping @Sendable (Resource) async throws -> [UInt8]) -> ReactorFlow<[Article]> {
    let parser = Parser.array(of: ModelMapping<Article>())
    let flow = ReactorFlow(network: { resource in try parser.parse(try await bytes(resource)).model })
    return flow
  }

  static func observed(_ flow: ReactorFlow<[Article]>) -> ReactorFlow<[Article]> {
    let observed = flow.persisting(in: InMemoryPersistence())
      .onLoadMiss { miss, _ in print("no persisted result: \(miss)") }
      .onLoadFailure { error, _ in print("the load failed: \(error)") }
    return observed
  }

  static func declared(_ files: [SourceFile], _ environment: FlowEnvironment) async throws {
    let loaded = FlowLoader(reader: .nothing).load(files)
    let plans = FlowCompiler().compile(loaded.flows).plans
    for flow in environment.flows(for: plans) {
      let fetched = try await flow.reactor().fetch(flow.resource)
      for try await record in fetched.model.records { print(try record.string("sku")) }
    }
  }

  static func run(_ plan: RunPlan) async {
    let run = BatchRun(plan)
    let state = await run.execute()
    print(state.counters[.passed])
  }

  static func runnable() -> RunnableFlow {
    RunnableFlow(id: "shop.orders", host: "https://api.example.com:443", timeout: .seconds(30)) { queue, observer in
      FetchSummary(source: .network, records: 12)
    }
  }

  static func decorated(_ flow: DeclaredFlow) -> RunnableFlow {
    RunnableFlow(flow, decorating: { closures in closures.onSave { set, _ in print("\(set.count) records saved") } })
  }

  static func request(_ take: ([UInt8]) -> Void) async throws {
    let client = HTTPClient()
    let connection = try HTTPConnection(baseURL: "https://api.example.com/v2", client: client)
    let response = try await connection.response(for: Resource(path: "/customers", method: .GET))
    while let chunk = try await response.body.next() { take(chunk) }
  }
}
