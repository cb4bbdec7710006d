extension ReactorFlow {
  /// Changes each model that arrives from the network, before it is saved.
  ///
  /// An error that is not a `ReactorError` becomes `.parser`.
  public func mapNetwork(_ transform: @escaping @Sendable (Model) async throws -> Model) -> ReactorFlow {
    mapFetched { fetched, _ in
      var fetched = fetched
      fetched.model = try await transform(fetched.model)
      return fetched
    }
  }

  /// Changes each network result as `mapNetwork` does. The closure also gets the response's details and the resource.
  public func mapFetched(
    _ transform: @escaping @Sendable (Fetched<Model>, Resource) async throws -> Fetched<Model>
  ) -> ReactorFlow {
    let network = networkFlow
    var flow = self
    flow.networkFlow = { (resource) async throws(ReactorError) -> Fetched<Model> in
      let fetched = try await network(resource)
      do {
        return try await transform(fetched, resource)
      } catch {
        throw ReactorError(error, as: .parser)
      }
    }
    return flow
  }

  /// Changes each model before it is saved.
  ///
  /// With `shouldWaitForSaveToPersistence` the changed model is also delivered.
  ///
  /// An error that is not a `ReactorError` becomes `.persistence`.
  public func mapSave(_ transform: @escaping @Sendable (Model) async throws -> Model) -> ReactorFlow {
    let save = saveToPersistenceFlow
    guard persistsResults else { return self }
    return decoratingSave { (model, resource) async throws(ReactorError) -> Model in
      let changed: Model
      do {
        changed = try await transform(model)
      } catch {
        throw ReactorError(error, as: .persistence)
      }
      return try await save(changed, resource)
    }
  }

  /// Calls the closure when no persisted result can be used.
  ///
  /// The closure gets the reason and is called before the request is sent.
  public func onLoadMiss(_ observe: @escaping @Sendable (PersistenceMiss, Resource) async -> Void) -> ReactorFlow {
    onLoad { read, resource in if case .miss(let reason) = read { await observe(reason, resource) } }
  }

  /// Calls the closure with each persisted result that is used.
  public func onLoadHit(_ observe: @escaping @Sendable (Model, Resource) async -> Void) -> ReactorFlow {
    onLoad { read, resource in if case .hit(let model) = read { await observe(model, resource) } }
  }

  private func onLoad(_ observe: @escaping @Sendable (PersistenceRead<Model>, Resource) async -> Void) -> ReactorFlow {
    let load = loadFromPersistenceFlow
    var flow = self
    flow.loadFromPersistenceFlow = { (resource) async throws(ReactorError) -> PersistenceRead<Model> in
      let read = try await load(resource)
      await observe(read, resource)
      return read
    }
    return flow
  }

  /// Calls the closure when a load throws, with the error, before `Reactor.fetch` sends the request.
  ///
  /// A miss does not throw (see `onLoadMiss`). A cancelled load is not reported, because it is not a failure.
  public func onLoadFailure(_ observe: @escaping @Sendable (ReactorError, Resource) async -> Void) -> ReactorFlow {
    let load = loadFromPersistenceFlow
    var flow = self
    flow.loadFromPersistenceFlow = { (resource) async throws(ReactorError) -> PersistenceRead<Model> in
      do throws(ReactorError) {
        return try await load(resource)
      } catch {
        if error.kind != .cancelled { await observe(error, resource) }
        throw error
      }
    }
    return flow
  }

  /// Calls the closure with each response that was mapped, with the counts of kept and rejected records.
  public func onNetwork(_ observe: @escaping @Sendable (Fetched<Model>, Resource) async -> Void) -> ReactorFlow {
    mapFetched { fetched, resource in
      await observe(fetched, resource)
      return fetched
    }
  }

  /// Calls the closure with each model that was saved.
  public func onSave(_ observe: @escaping @Sendable (Model, Resource) async -> Void) -> ReactorFlow {
    guard persistsResults else { return self }
    let save = saveToPersistenceFlow
    return decoratingSave { (model, resource) async throws(ReactorError) -> Model in
      let saved = try await save(model, resource)
      await observe(saved, resource)
      return saved
    }
  }
}
