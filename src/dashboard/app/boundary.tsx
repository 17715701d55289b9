import { Component, type ReactNode } from 'react';
import { Problem } from '../design/problem.tsx';

type BoundaryProps = { readonly children: ReactNode };

/** Shows the error of a broken page in place of the page. Another address, or the retry, shows the page again. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Problem error={error} onRetry={() => this.setState({ error: null })} />;
  }
}
