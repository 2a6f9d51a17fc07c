/** A value that is there already, or the promise of one. A promise costs more than many a look-up that it would stand for. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on at once with what is there already. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
