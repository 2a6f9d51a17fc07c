export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds)
}

/** "2026-03-14 15:00", in UTC. */
export function minuteText(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 16).replace('T', ' ')
}
