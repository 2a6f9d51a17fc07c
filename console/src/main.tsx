// First, because components change what is in them.
import './styles/theme.css'
import './styles/layout.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { requestSessionFromOpener, shareSessionWithNewTabs } from './sign-in/new-tab-session.ts'

const root = document.getElementById('console')
if (root !== null) {
  await requestSessionFromOpener()
  shareSessionWithNewTabs()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
