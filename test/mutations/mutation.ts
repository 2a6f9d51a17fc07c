/**
 * A change that takes a guard away. `suites`: those that must notice it, on the engine of `project`. `scheduled`: test/schedules must notice
 * it too (docs/invariants.md says why it does not notice the others).
 */
export type Mutation = {
  guard: string
  scheduled?: true
  file: string
  from: string | RegExp
  to: string
  suites: readonly string[]
  project: Project
}
export type Project = 'sqlite' | 'postgres'

/** The guards of one subject, which the same suites protect. */
export function guards(
  suites: readonly string[],
  mutations: Omit<Mutation, 'suites' | 'project'>[],
  project: Project = 'sqlite',
): Mutation[] {
  return mutations.map((mutation) => ({ ...mutation, suites, project }))
}

/** The text without the guard; null where the pattern does not find it. */
export function withoutGuard(text: string, { from, to }: Mutation): string | null {
  const mutated = text.replace(from, to)
  return mutated === text ? null : mutated
}
