/** Stands where a screen will be, in about its shape, so that nothing jumps when it comes. */
export function ScreenWait() {
  return (
    <div className="o-wait" role="status" aria-label="Loading">
      <span className="o-wait-title" /><span className="o-wait-body" />
    </div>
  )
}
