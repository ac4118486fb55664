import { useMemo, useState } from 'react'
import { Button, Input, Tree } from 'antd'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { t } from '../../../session/labels.ts'
import { hierarchiesOf, matching, pathsBelow, permissionForest } from '../parts/permission-paths.ts'
import type { PermissionNode } from '../parts/permission-paths.ts'
import type { InputProps } from '../types.ts'

interface TreeItem {
  key: string
  title: React.ReactNode
  children: TreeItem[]
  checkable: boolean
  disableCheckbox?: boolean
}

/**
 * Permissions as a tree with search. A permission counts by its exact path, so a parent does not tick its children;
 * the count beside it says how many below are held, and its button takes or drops them all.
 */
export function PermissionTreeInput({ field, value, onChange, disabled, id, ...rest }: InputProps) {
  const [search, setSearch] = useState('')
  const held = useMemo(() => new Set(hierarchiesOf(value)), [value])
  const forest = useMemo(() => permissionForest(allPaths(field.options, held)), [field.options, held])
  const shown = useMemo(() => matching(forest, search), [forest, search])
  const [expanded, setExpanded] = useState<string[]>()
  const change = (paths: Iterable<string>) => onChange?.(hierarchiesOf([...paths]))
  const toggleAll = (node: PermissionNode) => {
    const paths = pathsBelow(node)
    const hasAll = paths.every((path) => held.has(path))
    change(hasAll ? [...held].filter((path) => !paths.includes(path)) : [...held, ...paths])
  }
  const item = (node: PermissionNode): TreeItem => ({
    key: node.key,
    children: node.children.map(item),
    checkable: node.isPermission,
    title: <NodeTitle node={node} held={held} isDisabled={disabled ?? false} onToggleAll={() => toggleAll(node)} />,
  })
  return (
    <div className="permission-tree" role="group" aria-label={t(field.label)} aria-describedby={rest['aria-describedby']}>
      <div className="permission-tree-bar">
        <Input.Search
          id={id}
          allowClear
          placeholder={t('Search permissions')}
          aria-label={t('Search permissions')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span role="status" className="permission-tree-count">
          {held.size} {t('held')}
        </span>
      </div>
      <Tree<TreeItem>
        checkable
        checkStrictly
        selectable={false}
        blockNode
        disabled={disabled}
        height={420}
        treeData={shown.map(item)}
        checkedKeys={[...held]}
        expandedKeys={search ? keysOf(shown) : (expanded ?? shown.map((node) => node.key))}
        onExpand={(keys) => setExpanded(keys.map(String))}
        onCheck={(keys) => change((Array.isArray(keys) ? keys : keys.checked).map(String).concat(hidden(held, shown)))}
      />
    </div>
  )
}

const NodeTitle = ({
  node,
  held,
  isDisabled,
  onToggleAll,
}: {
  node: PermissionNode
  held: ReadonlySet<string>
  isDisabled: boolean
  onToggleAll: () => void
}) => {
  const paths = pathsBelow(node)
  if (node.children.length === 0) return <span title={node.key}>{node.title}</span>
  const count = paths.filter((path) => held.has(path)).length
  return (
    <span className="permission-tree-node" title={node.key}>
      {node.title}{' '}
      <span className="permission-tree-count">
        {count}/{paths.length}
      </span>
      {isDisabled ? null : (
        <Button
          type="link"
          size="small"
          onClick={(event) => {
            event.stopPropagation()
            onToggleAll()
          }}
          aria-label={`${t(count === paths.length ? 'None' : 'All')} ${t('of')} ${node.key}`}
        >
          {t(count === paths.length ? 'None' : 'All')}
        </Button>
      )}
    </span>
  )
}

/** The paths the server offers, else those of the program; what the role holds besides stays visible. */
function allPaths(options: { value: string }[] | undefined, held: ReadonlySet<string>): string[] {
  const offered = options?.length ? options.map((option) => option.value.toUpperCase()) : permissionHierarchies
  return [...new Set([...offered, ...held])]
}

const keysOf = (nodes: readonly PermissionNode[]): string[] => nodes.flatMap((node) => [node.key, ...keysOf(node.children)])

/** Held permissions that the search hides; ticking a visible one must not lose them. */
function hidden(held: ReadonlySet<string>, shown: readonly PermissionNode[]): string[] {
  const visible = new Set(keysOf(shown))
  return [...held].filter((path) => !visible.has(path))
}
