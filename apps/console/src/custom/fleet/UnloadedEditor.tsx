import { ErrorState, LoadingState } from '../../view/states/index.tsx'

interface Props {
  title: string
  /** The record in a sentence: "This fence". */
  what: string
  error: unknown
  onRetry: () => void
}

/** An editor whose record is awaited or did not load: its heading, and what to do about it. */
export const UnloadedEditor = ({ title, what, error, onRetry }: Props) => (
  <>
    <header className="view-header">
      <div className="view-header-title">
        <h1 tabIndex={-1}>{title}</h1>
      </div>
    </header>
    {error ? <ErrorState error={error} what={what} onRetry={onRetry} /> : <LoadingState />}
  </>
)
