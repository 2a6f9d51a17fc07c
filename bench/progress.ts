// A progress bar on stderr: on a terminal one line that is overwritten, elsewhere a line for each tenth.

export type Progress = {
  begin(total: number): void
  advance(by: number, label: string): void
  end(): void
}

const WIDTH = 30

export function progressBar(title: string): Progress {
  let total = 0
  let done = 0
  let shownTenth = -1
  const start = performance.now()
  const isTerminal = process.stderr.isTTY === true

  function show(label: string): void {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const tenth = Math.floor(share * 10)
    if (!isTerminal && tenth === shownTenth) return
    shownTenth = tenth
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    const line = `${title} ${bar} ${(share * 100).toFixed(0).padStart(3)} %  ${label}`
    process.stderr.write(isTerminal ? `\r\x1b[2K${line}` : `${line}\n`)
  }

  return {
    begin(all) {
      total = all
      show('')
    },
    advance(by, label) {
      done += by
      show(label)
    },
    end() {
      done = total
      shownTenth = -1
      show(`done in ${((performance.now() - start) / 1000).toFixed(0)} s`)
      if (isTerminal) process.stderr.write('\n')
    },
  }
}
