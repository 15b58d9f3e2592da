import { type PanelArea, roleNamesFor } from '#contract/owner/areas.ts';
import { Notice } from '../ui/surfaces.tsx';
import { type AdminTab, tabAreas } from './search.ts';

/** Says which roles can open a part of the panel, to a person whose role cannot. */
export function RoleNotice(props: { className?: string } & ({ tab: AdminTab } | { area: PanelArea })) {
  const areas = 'area' in props ? [props.area] : tabAreas[props.tab];
  return (
    <Notice title="Your role doesn’t include this part" className={props.className}>
      It needs the role {roleNamesFor(...areas)}. The owner of the shop can change your role.
    </Notice>
  );
}
