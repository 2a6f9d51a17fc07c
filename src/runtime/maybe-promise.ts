/** A value that is there already, or the promise of one. A promise costs more than many a look-up that it would stand for. */
export type Soon<T> = T | Promise<T>

/** Goes on at once with what is there already. */
export function whenKnown<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
