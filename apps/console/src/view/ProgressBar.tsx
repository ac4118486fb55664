interface ProgressBarProps {
  label: string
  className: string
  /** How far of `max` it has come, 100 by default; undefined while nobody knows. */
  value: number | undefined
  max?: number
}

/** A bar filled as far as something has come. */
export function ProgressBar({ label, className, value, max = 100 }: ProgressBarProps) {
  const percent = max === 0 ? 0 : ((value ?? 0) / max) * 100
  return (
    <div className={className} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={max} aria-valuenow={value}>
      <span style={{ inlineSize: `${percent}%` }} />
    </div>
  )
}
