// First, because components change what is in them.
import './styles/theme.css'
import './styles/layout.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { readReturn } from './challenge.ts'

readReturn()
createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
