/// Work that a store runs.
@usableFromInline
struct RunningEffect<R: StateReactor> {
  @usableFromInline let id: String?
  @usableFromInline let action: R.Action
  @usableFromInline let scope: EffectScope<R>
  /// From then on it changes nothing.
  @usableFromInline var isCancelled = false

  @inlinable init(id: String?, action: R.Action, scope: EffectScope<R>) {
    self.id = id
    self.action = action
    self.scope = scope
  }
}
