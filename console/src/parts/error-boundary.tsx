import { Component, type ReactNode } from 'react'

/** An error in one screen leaves the menu and pending decisions intact. React catches errors only in class components. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="problem" role="alert">
        <h1 tabIndex={-1}>This screen could not be shown</h1>
        <p>An unexpected error occurred. Open another screen or reload the page. Nothing was sent.</p>
      </div>
    )
  }
}
