// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// The contract that the devnet implements: a TRC-20 token like Tether's, with a fee, a blacklist, a
/// pause, and an owner who issues and redeems.
contract ReferenceToken {
  address public owner = msg.sender;
  uint256 public totalSupply;
  bool public paused;
  bool public deprecated;
  UpgradedToken private upgraded;
  uint256 public basisPointsRate;
  uint256 public maximumFee;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => bool) public isBlackListed;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event AddedBlackList(address indexed user);
  event RemovedBlackList(address indexed user);
  event DestroyedBlackFunds(address indexed user, uint256 balance);
  event Issue(uint256 amount);
  event Redeem(uint256 amount);
  event Params(uint256 feeBasisPoints, uint256 maxFee);
  event Deprecate(address newAddress);
  event Pause();
  event Unpause();

  modifier onlyOwner() {
    require(msg.sender == owner);
    _;
  }

  function name() external pure returns (string memory) {
    return "Tether USD";
  }

  function symbol() external pure returns (string memory) {
    return "USDT";
  }

  function decimals() external pure returns (uint8) {
    return 6;
  }

  function getOwner() external view returns (address) {
    return owner;
  }

  function getBlackListStatus(address user) external view returns (bool) {
    return isBlackListed[user];
  }

  function transfer(address to, uint256 value) external returns (bool) {
    return move(msg.sender, to, value);
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    if (allowed < type(uint256).max) allowance[from][msg.sender] = allowed - value;
    return move(from, to, value);
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function move(address from, address to, uint256 value) private returns (bool) {
    require(!paused && !isBlackListed[from] && to != address(0));
    uint256 fee = (value * basisPointsRate) / 10000;
    if (fee > maximumFee) fee = maximumFee;
    balanceOf[from] -= value;
    balanceOf[to] += value - fee;
    log(from, to, value - fee);
    if (fee > 0) {
      balanceOf[owner] += fee;
      log(from, owner, fee);
    }
    return true;
  }

  /// A deprecated contract forwards to its successor, which logs under its own address.
  function log(address from, address to, uint256 value) private {
    if (deprecated) upgraded.transferByLegacy(from, to, value);
    else emit Transfer(from, to, value);
  }

  function addBlackList(address user) external onlyOwner {
    isBlackListed[user] = true;
    emit AddedBlackList(user);
  }

  function removeBlackList(address user) external onlyOwner {
    isBlackListed[user] = false;
    emit RemovedBlackList(user);
  }

  function destroyBlackFunds(address user) external onlyOwner {
    require(isBlackListed[user]);
    uint256 funds = balanceOf[user];
    balanceOf[user] = 0;
    totalSupply -= funds;
    emit DestroyedBlackFunds(user, funds);
  }

  function pause() external onlyOwner {
    require(!paused);
    paused = true;
    emit Pause();
  }

  function unpause() external onlyOwner {
    require(paused);
    paused = false;
    emit Unpause();
  }

  function setParams(uint256 feeBasisPoints, uint256 maxFee) external onlyOwner {
    require(feeBasisPoints <= 10000);
    basisPointsRate = feeBasisPoints;
    maximumFee = maxFee;
    emit Params(feeBasisPoints, maxFee);
  }

  function issue(uint256 amount) external onlyOwner {
    totalSupply += amount;
    balanceOf[owner] += amount;
    emit Issue(amount);
  }

  function redeem(uint256 amount) external onlyOwner {
    totalSupply -= amount;
    balanceOf[owner] -= amount;
    emit Redeem(amount);
  }

  function deprecate(address newAddress) external onlyOwner {
    deprecated = true;
    upgraded = UpgradedToken(newAddress);
    emit Deprecate(newAddress);
  }
}

/// The successor of a deprecated contract, as far as its logs go.
contract UpgradedToken {
  event Transfer(address indexed from, address indexed to, uint256 value);

  function transferByLegacy(address from, address to, uint256 value) external {
    emit Transfer(from, to, value);
  }
}

/// Pays many recipients in one transaction, with one log of the token for each.
contract MultiSender {
  function pay(ReferenceToken token, address[] calldata to, uint256[] calldata values) external {
    for (uint256 i = 0; i < to.length; i++) token.transferFrom(msg.sender, to[i], values[i]);
  }
}

/// Logs a transfer without moving tokens.
contract FakeToken {
  event Transfer(address indexed from, address indexed to, uint256 value);

  function transfer(address to, uint256 value) external {
    emit Transfer(msg.sender, to, value);
  }
}
