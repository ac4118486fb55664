import type { ReactNode } from 'react'

/** Rows of a file or of its columns under their headings, scrolled by keyboard too. */
export function ImportTable({ label, headings, children }: { label: string; headings: readonly string[]; children: ReactNode }) {
  return (
    <div className="import-rows" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
