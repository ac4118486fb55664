import type { ReactNode } from 'react'
import { Button } from 'antd'
import type { ButtonProps } from 'antd'
import { useLinkProps } from '@tanstack/react-router'

/** A link that looks like a button: one element, so that it is one stop for keyboard and screen reader. */
export function LinkButton({
  to,
  type,
  icon,
  size,
  children,
}: Pick<ButtonProps, 'type' | 'icon' | 'size'> & { to: string; children: ReactNode }) {
  const { href, onClick } = useLinkProps({ to })
  return (
    <Button href={href} type={type} icon={icon} size={size} onClick={onClick as unknown as ButtonProps['onClick']}>
      {children}
    </Button>
  )
}
