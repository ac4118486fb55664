import { useState } from 'react'
import { useBrand } from './brand.ts'
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

/** The company's own logo; without one, or where it cannot be fetched, the theme's with the product's name beside it. */
export function Logo({ size = 28 }: { size?: number }) {
  const brand = useBrand()
  const [missing, setMissing] = useState<string>()
  if (brand?.logo !== undefined && brand.logo !== missing)
    return (
      <span className="o-logo">
        {/* On a white ground in both schemes: a logo is made for paper. */}
        <img
          className="o-logo-picture"
          src={brand.logo}
          alt={brand.name}
          style={{ height: size + 8 }}
          onError={() => setMissing(brand.logo)}
        />
      </span>
    )
  return (
    <span className="o-logo">
      <LogoMark size={size} />
      <span className="o-logo-name">{currentTheme.productName}</span>
    </span>
  )
}
