import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { handSessionsOver, takeSessionOver } from './new-tab-session.ts'

const root = document.getElementById('console')
if (root !== null) {
  await takeSessionOver()
  handSessionsOver()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
