const makers: Record<string, string> = { local: 'this machine', replicate: 'hosted model', hand: 'by hand' };

/** Who makes videos, as the owner knows them. */
export const makerWords = (id: string) => makers[id] ?? id;
