// First, because components change what is in them.
import './styles/theme.css'
import './styles/layout.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../../web/error-boundary.tsx'
import { App, Failed } from './app.tsx'
import { readReturn } from './challenge.ts'

readReturn()
const root = createRoot(document.getElementById('app') as HTMLElement, {
  // An error that a boundary has caught is dealt with.
  onCaughtError: (error) => console.warn(error),
})
root.render(
  <StrictMode>
    <ErrorBoundary
      fallback={
        <main>
          <Failed />
        </main>
      }
    >
      <App />
    </ErrorBoundary>
  </StrictMode>,
)
