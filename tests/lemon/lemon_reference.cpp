// The least cost of a flow, by LEMON's network simplex: what covers of graphs are compared with.
//
// Reads "nodes arcs", then for each node its supply (below 0: a need), then for each arc "from to cost"; supplies may
// be left over. Prints the least cost. Built only where LEMON is installed.
#include <iostream>
#include <vector>

#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

int main() {
  using Graph = lemon::SmartDigraph;
  int nodes = 0;
  int arcs = 0;
  std::cin >> nodes >> arcs;
  Graph graph;
  std::vector<Graph::Node> list;
  for (int i = 0; i < nodes; ++i) list.push_back(graph.addNode());
  Graph::NodeMap<long long> supply(graph);
  for (int i = 0; i < nodes; ++i) std::cin >> supply[list[i]];
  Graph::ArcMap<long long> cost(graph);
  for (int i = 0; i < arcs; ++i) {
    int from = 0;
    int to = 0;
    long long price = 0;
    std::cin >> from >> to >> price;
    cost[graph.addArc(list[from], list[to])] = price;
  }
  lemon::NetworkSimplex<Graph, long long, long long> solver(graph);
  solver.supplyMap(supply).costMap(cost).supplyType(lemon::NetworkSimplex<Graph, long long, long long>::GEQ);
  const auto status = solver.run();
  if (status != lemon::NetworkSimplex<Graph, long long, long long>::OPTIMAL) {
    std::cout << "none\n";
    return 1;
  }
  std::cout << solver.totalCost<long long>() << "\n";
  return 0;
}
