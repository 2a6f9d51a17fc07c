// A progress bar on stderr: one line that is written over where somebody watches, a line for each tenth elsewhere.

export type Progress = {
  begin(total: number): void
  advance(by: number, what: string): void
  end(): void
}

const WIDTH = 30

export function progressBar(title: string): Progress {
  let total = 0
  let done = 0
  let said = -1
  const start = performance.now()
  const watched = process.stderr.isTTY === true

  function show(what: string): void {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const tenth = Math.floor(share * 10)
    if (!watched && tenth === said) return
    said = tenth
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    const line = `${title} ${bar} ${(share * 100).toFixed(0).padStart(3)} %  ${what}`
    process.stderr.write(watched ? `\r\x1b[2K${line}` : `${line}\n`)
  }

  return {
    begin(all) {
      total = all
      show('')
    },
    advance(by, what) {
      done += by
      show(what)
    },
    end() {
      done = total
      said = -1
      show(`done in ${((performance.now() - start) / 1000).toFixed(0)} s`)
      if (watched) process.stderr.write('\n')
    },
  }
}
