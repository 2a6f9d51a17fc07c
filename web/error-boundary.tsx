import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode; fallback: ReactNode }

/** An error in one screen leaves what surrounds it intact. React catches errors only in class components. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
