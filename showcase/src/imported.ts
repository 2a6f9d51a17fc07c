const WAITS_MS = [300, 1_500, 4_000]

/** A part of the application that fails to load is requested again: a phone loses its network for a moment. */
export async function imported<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const wait of WAITS_MS) {
    try {
      return await load()
    } catch {
      await (navigator.onLine ? pause(wait) : networkReturns())
    }
  }
  return load()
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const networkReturns = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }))
