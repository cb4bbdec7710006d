/// A level of nesting among the effects of one action: what is under way, and what comes after it.
///
/// Belongs to one store, which alone touches it.
@usableFromInline
final class EffectScope<R: StateReactor> {
  @usableFromInline let action: R.Action
  @usableFromInline let dispatch: Int?
  @usableFromInline let parent: EffectScope?
  /// What is not begun yet, the next one last.
  @usableFromInline var rest: [Effect<R.Mutation>]
  /// Runs and inner levels that are not over.
  @usableFromInline var pending = 0
  /// Whether somebody is busy with `rest` already.
  @usableFromInline var isAdvancing = false

  @inlinable init(_ rest: [Effect<R.Mutation>], of action: R.Action, _ dispatch: Int?, in parent: EffectScope?) {
    self.rest = rest.reversed()
    self.action = action
    self.dispatch = dispatch
    self.parent = parent
  }
}
