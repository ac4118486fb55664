import { currentTheme } from './current.ts'

/** The logo of the host's theme, drawn in the current text colour. */
export function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg className="o-mark" width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
      {currentTheme.mark.map((path, index) => (
        <path key={path} d={path} fillRule="evenodd" opacity={index === 0 ? 1 : 0.62} />
      ))}
    </svg>
  )
}

/** Logo and product name side by side. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <span className="o-logo">
      <LogoMark size={size} />
      <span className="o-logo-name">{currentTheme.productName}</span>
    </span>
  )
}
