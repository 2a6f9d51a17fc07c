// Days and times as text. A day without a time, such as that of a settlement, is one of UTC: the same for every reader.

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** "14 Mar 2026"; what is no day is shown as it is. */
export function dayText(date: string): string {
  return Number.isNaN(Date.parse(date)) ? date : day.format(new Date(date))
}

/** "14 Mar 2026, 15:09", in the reader's time. */
export function timeText(at: string): string {
  return Number.isNaN(Date.parse(at)) ? at : dateAndTime.format(new Date(at))
}

/** A sentence of the service, in which days and times are ISO. */
export function withDates(text: string): string {
  return text
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g, timeText)
    .replace(/\b\d{4}-\d\d-\d\d\b/g, dayText)
}
