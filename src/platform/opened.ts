export type Opened = { close(): unknown }[]

/** Closes what was opened if the start fails. */
export async function closingOnFailure<T>(start: (opened: Opened) => Promise<T>): Promise<T> {
  const opened: Opened = []
  try {
    return await start(opened)
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

/** In the order given: listeners first, so that requests in progress still have their database. */
export async function closeAll(opened: Opened): Promise<void> {
  for (const one of opened) await one.close()
}
