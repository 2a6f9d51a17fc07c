import { Component, type ReactNode } from 'react'

/** A mistake in one screen leaves the menu, and what is pending, as they are. Only a class can catch what rendering throws. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="problem" role="alert">
        <h1 tabIndex={-1}>This screen failed</h1>
        <p>It met an answer that it does not understand. Open another, or reload the page; nothing was sent.</p>
      </div>
    )
  }
}
