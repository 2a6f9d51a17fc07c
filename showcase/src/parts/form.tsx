import type { ReactNode } from 'react'

/** `isChecked` false: the service checks what is entered, not the browser. */
export function Form({ run, isChecked = true, children }: { run(): void; isChecked?: boolean; children: ReactNode }) {
  return (
    <form
      className="form"
      noValidate={!isChecked}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      {children}
    </form>
  )
}
