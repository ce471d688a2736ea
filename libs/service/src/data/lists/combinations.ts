export function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((sofar, list) => sofar.flatMap((head) => list.map((value) => [...head, value])), [[]]);
}

export function countCombinations(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((count, list) => count * list.length, 1);
}
