const WAITS_MS = [300, 1_500, 4_000]
const WITHIN_MS = 60_000
const STORED_RELOADS = 'paddock-showcase-reloads'

/**
 * Where a part of the application fails to load, the page is loaded again: a phone loses its network for a moment, and a new version has
 * other files. `import()` alone would not help: browsers remember a module that failed. At most three times in a minute, then it throws.
 */
export async function imported<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const since = Date.now() - WITHIN_MS
    const reloads = storedReloads().filter((at) => at > since)
    const wait = WAITS_MS[reloads.length]
    if (wait === undefined) throw error
    await (navigator.onLine ? pause(wait) : networkReturns())
    sessionStorage.setItem(STORED_RELOADS, JSON.stringify([...reloads, Date.now()]))
    location.reload()
    return new Promise(() => undefined)
  }
}

const storedReloads = () => JSON.parse(sessionStorage.getItem(STORED_RELOADS) ?? '[]') as number[]
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const networkReturns = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }))
